import axe, { type AxeResults } from 'axe-core';
import { join } from 'node:path';
import { type Locator, type Page } from 'playwright-core';
import { until } from './until';

/** A colour that is on its way to another is none that anybody chose. */
const TRANSITIONS_END = `Promise.allSettled(
  document.getAnimations().filter((one) => one instanceof CSSTransition).map(({ finished }) => finished)
).then(() => null)`;

/**
 * Whether a page may be shown to people: axe finds nothing, and nothing is cut off on the right. With a name and
 * SCREENSHOTS=<folder> the page is also photographed there, whole, for whoever wants to look.
 */
export async function expectPresentable(page: Page, name?: string): Promise<void> {
  await page.evaluate(TRANSITIONS_END);
  const folder = process.env.SCREENSHOTS;
  if (folder && name) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  expect(await scanAccessibility(page)).toEqual([]);
  expect(await overflowPx(page)).toBe(0);
}

/** By how many pixels the page is wider than the window. */
export async function overflowPx(page: Page): Promise<number> {
  const script = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  return page.evaluate<number>(script);
}

/** What axe finds wrong with the page as it is, a line each. */
async function scanAccessibility(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const results = await page.evaluate('axe.run()');
  return (results as AxeResults).violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n  ${failureSummary}`),
  );
}

/** The same in light and dark on a wide screen, and on a narrow one; the page is left light and wide. */
export async function expectPresentableEverywhere(page: Page, name: string): Promise<void> {
  const views = [
    [400, 'light'],
    [1280, 'dark'],
    [1280, 'light'],
  ] as const;
  for (const [width, colorScheme] of views) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
    await expectPresentable(page, `${name}-${width}-${colorScheme}`);
  }
}

/** Waits until there are so many of it. */
export async function expectCount(of: Locator, count: number): Promise<void> {
  await until(async () => (await of.count()) === count, `${count} of ${String(of)}`, 10_000);
}
