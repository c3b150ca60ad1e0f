-- A way to a new password that an operator made for somebody; one per person, of which the last counts. Of people, like "users":
-- no team owns it, so row-level security does not apply.
CREATE TABLE "password_resets" (
    "user_id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    CONSTRAINT "password_resets_pkey" PRIMARY KEY ("user_id"),
    CONSTRAINT "password_resets_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "password_resets_token_hash_key" ON "password_resets"("token_hash");
CREATE INDEX "password_resets_expires_at_idx" ON "password_resets"("expires_at");
GRANT SELECT, INSERT, UPDATE, DELETE ON "password_resets" TO "stallscope_app";
