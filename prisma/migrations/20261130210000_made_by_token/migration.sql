-- The token that was shown the secret of another one, or of an invitation; NULL when a person or an operator was. What it made
-- ends with it. Without a foreign key, as "rotated_from".
ALTER TABLE "api_tokens" ADD COLUMN "made_by_token" UUID;
ALTER TABLE "invitations" ADD COLUMN "made_by_token" UUID;
CREATE INDEX "api_tokens_team_id_made_by_token_idx" ON "api_tokens"("team_id", "made_by_token");
CREATE INDEX "invitations_team_id_made_by_token_idx" ON "invitations"("team_id", "made_by_token");
