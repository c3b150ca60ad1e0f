import { type Page } from 'playwright-core';
import { expectPresentable } from './presentable';

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 400, height: 800 };

/** The page may be shown to people in both colour schemes, on a wide and on a small screen; then it is wide and light again. */
export async function expectPresentableInAllWays(page: Page, name: string): Promise<void> {
  for (const viewport of [WIDE, NARROW])
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      await expectPresentable(page, `${name}-${colorScheme}-${viewport.width}`);
    }
  await page.setViewportSize(WIDE);
}
