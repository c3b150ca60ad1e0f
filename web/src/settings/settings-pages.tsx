import { Navigate, Route, Routes } from 'react-router';
import { NotFoundPage } from '../shell/not-found-page';
import { AccountPage } from './account/account-page';
import { AdminOnly } from './admin-only';
import { AuditPage } from './audit/audit-page';
import { MembersPage } from './members/members-page';
import { SettingsLayout } from './settings-layout';
import { TokensPage } from './tokens/tokens-page';
import { UsagePage } from './usage/usage-page';
import { WebhookPage } from './webhooks/webhook-page';
import { WebhooksPage } from './webhooks/webhooks-page';

/** Everything under `/t/<team>/settings/`. */
export function SettingsPages() {
  return (
    <Routes>
      <Route element={<SettingsLayout />}>
        <Route index element={<Navigate to="account" replace />} />
        <Route path="usage" element={<UsagePage />} />
        <Route path="account" element={<AccountPage />} />
        <Route element={<AdminOnly />}>
          <Route path="members" element={<MembersPage />} />
          <Route path="tokens" element={<TokensPage />} />
          <Route path="webhooks" element={<WebhooksPage />} />
          <Route path="webhooks/:webhookId" element={<WebhookPage />} />
          <Route path="audit" element={<AuditPage />} />
        </Route>
      </Route>
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  );
}
