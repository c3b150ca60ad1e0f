-- People: other ways to sign in, and sessions that last ----------------------------------------------------------------
-- These tables belong to people, like "users": no team owns them, so row-level security does not apply.

-- Who signs in elsewhere needs no password here.
ALTER TABLE "users" ALTER COLUMN "password_hash" DROP NOT NULL;

CREATE TABLE "user_identities" (
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "user_identities_pkey" PRIMARY KEY ("issuer", "subject"),
    CONSTRAINT "user_identities_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "user_identities_user_id_idx" ON "user_identities"("user_id");

CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "method" TEXT NOT NULL,
    "user_agent" TEXT,
    "address" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "ended_at" TIMESTAMPTZ(6),
    "end_reason" TEXT,
    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "sessions_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "sessions_ended_has_reason" CHECK (("ended_at" IS NULL) = ("end_reason" IS NULL))
);
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");

CREATE TABLE "refresh_tokens" (
    "token_hash" BYTEA NOT NULL,
    "session_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "used_at" TIMESTAMPTZ(6),
    CONSTRAINT "refresh_tokens_pkey" PRIMARY KEY ("token_hash"),
    CONSTRAINT "refresh_tokens_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "refresh_tokens_session_id_idx" ON "refresh_tokens"("session_id");

CREATE TABLE "oidc_logins" (
    "state_hash" BYTEA NOT NULL,
    "nonce" TEXT NOT NULL,
    "code_verifier" TEXT NOT NULL,
    "team_slug" TEXT,
    "return_to" TEXT,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    CONSTRAINT "oidc_logins_pkey" PRIMARY KEY ("state_hash")
);
CREATE INDEX "oidc_logins_expires_at_idx" ON "oidc_logins"("expires_at");

-- Teams ------------------------------------------------------------------------------------------------------------------
-- A limit that is NULL is the installation's default.

ALTER TABLE "teams"
    ADD COLUMN "retention_days" INTEGER,
    ADD COLUMN "max_stored_bytes" BIGINT,
    ADD COLUMN "max_runs_per_day" INTEGER,
    ADD COLUMN "max_concurrent_analyses" INTEGER,
    ADD COLUMN "last_served_at" TIMESTAMPTZ(6),
    ADD COLUMN "deleted_at" TIMESTAMPTZ(6),
    ADD CONSTRAINT "teams_limits_positive" CHECK ("retention_days" > 0 AND "max_stored_bytes" > 0 AND "max_runs_per_day" > 0 AND "max_concurrent_analyses" > 0);

CREATE TABLE "invitations" (
    "id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "role" "role" NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "invited_by" UUID,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "accepted_at" TIMESTAMPTZ(6),
    "revoked_at" TIMESTAMPTZ(6),
    CONSTRAINT "invitations_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "invitations_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "invitations_email_lower" CHECK ("email" = lower("email"))
);
CREATE UNIQUE INDEX "invitations_token_hash_key" ON "invitations"("token_hash");
CREATE INDEX "invitations_team_id_id_idx" ON "invitations"("team_id", "id" DESC);

CREATE TABLE "service_accounts" (
    "id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "disabled_at" TIMESTAMPTZ(6),
    CONSTRAINT "service_accounts_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "service_accounts_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "service_accounts_team_id_name_key" ON "service_accounts"("team_id", "name");

-- An empty list of models or clusters is no limit.
ALTER TABLE "api_tokens"
    ADD COLUMN "service_account_id" UUID REFERENCES "service_accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    ADD COLUMN "models" TEXT[] NOT NULL DEFAULT '{}',
    ADD COLUMN "clusters" TEXT[] NOT NULL DEFAULT '{}',
    ADD COLUMN "rotated_from" UUID;

CREATE TABLE "audit_entries" (
    "id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "action" TEXT NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_id" TEXT,
    "actor_name" TEXT,
    "target_kind" TEXT,
    "target_id" TEXT,
    "details" JSONB NOT NULL DEFAULT '{}',
    "request_id" TEXT,
    "address" TEXT,
    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "audit_entries_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "audit_entries_team_id_id_idx" ON "audit_entries"("team_id", "id" DESC);

-- Runs -------------------------------------------------------------------------------------------------------------------

ALTER TABLE "runs"
    -- What the client said of hardware, framework, parallelism and the like, in the fields that have a name.
    ADD COLUMN "setup" JSONB NOT NULL DEFAULT '{}',
    -- Bottleneck of the newest report, and where it is.
    ADD COLUMN "verdict" TEXT,
    ADD COLUMN "latest_analysis_id" UUID,
    -- Since when it waits for a worker; not before when it may be taken again.
    ADD COLUMN "queued_at" TIMESTAMPTZ(6),
    ADD COLUMN "not_before" TIMESTAMPTZ(6),
    -- W3C traceparent of the request that asked for the analysis.
    ADD COLUMN "trace_parent" TEXT;
UPDATE "runs" SET "queued_at" = "state_changed_at" WHERE "state" IN ('queued', 'analyzing');
UPDATE "runs" r SET "latest_analysis_id" = a."id", "verdict" = a."bottleneck"
    FROM (SELECT DISTINCT ON ("run_id") "id", "run_id", "bottleneck" FROM "analyses" ORDER BY "run_id", "generation" DESC) a
    WHERE a."run_id" = r."id";
CREATE INDEX "runs_waiting_idx" ON "runs"("team_id", "queued_at") WHERE "state" IN ('queued', 'analyzing');
CREATE INDEX "runs_team_id_verdict_created_at_idx" ON "runs"("team_id", "verdict", "created_at" DESC);
CREATE INDEX "runs_team_id_model_cluster_created_at_idx" ON "runs"("team_id", "model", "cluster", "created_at" DESC);
CREATE INDEX "runs_tags_idx" ON "runs" USING GIN ("tags");
CREATE INDEX "metric_values_team_id_metric_id_value_idx" ON "metric_values"("team_id", "metric_id", "value");
CREATE INDEX "artifacts_team_id_object_key_idx" ON "artifacts"("team_id", "object_key") INCLUDE ("size_bytes", "state");

-- What happened, in order; written in the transaction in which it happened. Read by the event stream and by webhooks.
CREATE TABLE "team_events" (
    "id" UUID NOT NULL,
    -- The order in which things happened to one run: its row is locked while its events are written.
    "seq" BIGINT GENERATED ALWAYS AS IDENTITY,
    "team_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "run_id" UUID,
    "data" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    -- When the webhooks that want it were given it.
    "fanned_out_at" TIMESTAMPTZ(6),
    CONSTRAINT "team_events_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "team_events_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "team_events_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "team_events_run_id_seq_idx" ON "team_events"("run_id", "seq");
CREATE INDEX "team_events_team_id_seq_idx" ON "team_events"("team_id", "seq");
CREATE INDEX "team_events_not_fanned_out_idx" ON "team_events"("seq") WHERE "fanned_out_at" IS NULL;

CREATE TABLE "usage_days" (
    "team_id" UUID NOT NULL,
    -- In UTC.
    "day" DATE NOT NULL,
    "runs" INTEGER NOT NULL DEFAULT 0,
    "uploaded_bytes" BIGINT NOT NULL DEFAULT 0,
    "analyses" INTEGER NOT NULL DEFAULT 0,
    "analysis_ms" BIGINT NOT NULL DEFAULT 0,
    CONSTRAINT "usage_days_pkey" PRIMARY KEY ("team_id", "day"),
    CONSTRAINT "usage_days_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- Objects whose rows are gone and whose bytes are to go. Without a foreign key: it outlives its team.
CREATE TABLE "object_deletions" (
    "id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "object_key" TEXT NOT NULL,
    -- Multipart upload to abort instead.
    "upload_id" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "object_deletions_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "object_deletions_created_at_idx" ON "object_deletions"("created_at");
CREATE INDEX "object_deletions_object_key_idx" ON "object_deletions"("object_key");

-- Webhooks -----------------------------------------------------------------------------------------------------------------

CREATE TABLE "webhook_endpoints" (
    "id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "events" TEXT[] NOT NULL,
    "payload_format" TEXT NOT NULL,
    -- The signing secret is derived from the installation's key, the id and this number; it is stored nowhere.
    "secret_version" INTEGER NOT NULL DEFAULT 1,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "disabled_reason" TEXT,
    "consecutive_failures" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "webhook_endpoints_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "webhook_endpoints_team_id_id_idx" ON "webhook_endpoints"("team_id", "id" DESC);

CREATE TYPE "delivery_state" AS ENUM ('pending', 'delivered', 'failed');
CREATE TABLE "webhook_deliveries" (
    "id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "event_type" TEXT NOT NULL,
    -- What is sent: the same bytes at each attempt.
    "body" TEXT NOT NULL,
    "state" "delivery_state" NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_status" INTEGER,
    "last_error" TEXT,
    "last_duration_ms" INTEGER,
    "redelivery_of" UUID,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(6),
    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "webhook_deliveries_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "webhook_deliveries_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoints"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
-- One delivery of an event to an endpoint, however often the event is fanned out; redeliveries are asked for by people.
CREATE UNIQUE INDEX "webhook_deliveries_endpoint_id_event_id_key" ON "webhook_deliveries"("endpoint_id", "event_id") WHERE "redelivery_of" IS NULL;
CREATE INDEX "webhook_deliveries_endpoint_id_id_idx" ON "webhook_deliveries"("endpoint_id", "id" DESC);
CREATE INDEX "webhook_deliveries_team_id_idx" ON "webhook_deliveries"("team_id");
CREATE INDEX "webhook_deliveries_due_idx" ON "webhook_deliveries"("next_attempt_at") WHERE "state" = 'pending';

-- Rights and row-level security --------------------------------------------------------------------------------------------

GRANT SELECT, INSERT, UPDATE, DELETE ON
    "user_identities", "sessions", "refresh_tokens", "oidc_logins", "invitations", "service_accounts", "team_events",
    "usage_days", "object_deletions", "webhook_endpoints", "webhook_deliveries"
TO "stallscope_app";
-- Append-only: entries go with their team and never before.
GRANT SELECT, INSERT ON "audit_entries" TO "stallscope_app";

DO $$
DECLARE
    table_name TEXT;
BEGIN
    FOREACH table_name IN ARRAY ARRAY['invitations', 'service_accounts', 'audit_entries', 'team_events', 'usage_days',
                                      'object_deletions', 'webhook_endpoints', 'webhook_deliveries'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', table_name);
        EXECUTE format('CREATE POLICY "team_isolation" ON %I TO "stallscope_app" '
            'USING ("team_id" = (SELECT "current_team_id"())) WITH CHECK ("team_id" = (SELECT "current_team_id"()))', table_name);
    END LOOP;
END $$;

-- What must be known before the team is known ---------------------------------------------------------------------------

-- A team that is being deleted has no tokens and no members any more.
DROP FUNCTION "find_api_token"(BYTEA);
CREATE FUNCTION "find_api_token"("hash" BYTEA)
RETURNS TABLE ("id" UUID, "team_id" UUID, "name" TEXT, "scopes" TEXT[], "models" TEXT[], "clusters" TEXT[], "service_account_id" UUID,
               "expires_at" TIMESTAMPTZ, "revoked_at" TIMESTAMPTZ, "disabled_at" TIMESTAMPTZ)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT t."id", t."team_id", t."name", t."scopes", t."models", t."clusters", t."service_account_id", t."expires_at", t."revoked_at",
          s."disabled_at"
   FROM "api_tokens" t JOIN "teams" m ON m."id" = t."team_id" LEFT JOIN "service_accounts" s ON s."id" = t."service_account_id"
   WHERE t."token_hash" = "hash" AND m."deleted_at" IS NULL $$;

CREATE OR REPLACE FUNCTION "find_memberships"("user" UUID)
RETURNS TABLE ("team_id" UUID, "slug" TEXT, "name" TEXT, "role" TEXT)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT t."id", t."slug", t."name", m."role"::text FROM "memberships" m JOIN "teams" t ON t."id" = m."team_id"
   WHERE m."user_id" = "user" AND t."deleted_at" IS NULL ORDER BY m."created_at" $$;

-- The invitation with this token, whatever its team.
CREATE FUNCTION "find_invitation"("hash" BYTEA)
RETURNS TABLE ("id" UUID, "team_id" UUID, "team_name" TEXT, "team_slug" TEXT, "email" TEXT, "role" TEXT, "expires_at" TIMESTAMPTZ,
               "accepted_at" TIMESTAMPTZ, "revoked_at" TIMESTAMPTZ)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT i."id", i."team_id", t."name", t."slug", i."email", i."role"::text, i."expires_at", i."accepted_at", i."revoked_at"
   FROM "invitations" i JOIN "teams" t ON t."id" = i."team_id" WHERE i."token_hash" = "hash" AND t."deleted_at" IS NULL $$;

-- For operators, who name a team by its slug.
CREATE FUNCTION "find_team_id"("team_slug" TEXT) RETURNS UUID
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT "id" FROM "teams" WHERE "slug" = "team_slug" AND "deleted_at" IS NULL $$;

-- The run to analyse next: of the team with the fewest analyses going on, then of the one that was served longest ago, the
-- run that waits longest. Teams at their limit are passed over. "silent_since": a worker silent since then has lost its run.
CREATE FUNCTION "pick_run"("silent_since" TIMESTAMPTZ, "default_concurrency" INTEGER)
RETURNS TABLE ("id" UUID, "team_id" UUID, "generation" INTEGER)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ WITH busy AS (
       SELECT r."team_id", count(*) AS "analyses" FROM "runs" r
       WHERE r."state" = 'analyzing' AND r."state_changed_at" >= "silent_since" GROUP BY r."team_id"),
   waiting AS (
       SELECT DISTINCT ON (r."team_id") r."id", r."team_id", r."generation", r."queued_at" FROM "runs" r
       WHERE r."state" IN ('queued', 'analyzing') AND (r."state" = 'queued' OR r."state_changed_at" < "silent_since")
         AND (r."not_before" IS NULL OR r."not_before" <= now())
       ORDER BY r."team_id", r."queued_at", r."id")
   SELECT w."id", w."team_id", w."generation" FROM waiting w
   JOIN "teams" t ON t."id" = w."team_id" LEFT JOIN busy b ON b."team_id" = w."team_id"
   WHERE t."deleted_at" IS NULL AND coalesce(b."analyses", 0) < coalesce(t."max_concurrent_analyses", "default_concurrency")
   ORDER BY coalesce(b."analyses", 0), t."last_served_at" NULLS FIRST, w."queued_at" LIMIT 1 $$;

-- How much waits and since when, over all teams; names no team.
CREATE FUNCTION "measure_backlog"()
RETURNS TABLE ("state" TEXT, "runs" BIGINT, "oldest" TIMESTAMPTZ, "teams" BIGINT)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT r."state"::text, count(*), min(r."queued_at"), count(DISTINCT r."team_id") FROM "runs" r
   WHERE r."state" IN ('queued', 'analyzing') GROUP BY r."state" $$;

-- Runs that failed because of us, for operators.
CREATE FUNCTION "find_dead_letters"("codes" TEXT[], "max_rows" INTEGER)
RETURNS TABLE ("id" UUID, "team_id" UUID, "team_slug" TEXT, "failure_code" TEXT, "failure_reason" TEXT, "failed_at" TIMESTAMPTZ, "generation" INTEGER)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT r."id", r."team_id", t."slug", r."failure_code", r."failure_reason", r."state_changed_at", r."generation"
   FROM "runs" r JOIN "teams" t ON t."id" = r."team_id"
   WHERE r."state" = 'failed' AND r."failure_code" = ANY("codes") ORDER BY r."state_changed_at" DESC LIMIT "max_rows" $$;

-- Runs that their team keeps no longer. Work in progress is left alone.
CREATE FUNCTION "find_expired_runs"("default_retention_days" INTEGER, "max_rows" INTEGER)
RETURNS TABLE ("id" UUID, "team_id" UUID)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT r."id", r."team_id" FROM "teams" t JOIN LATERAL (
       SELECT r."id", r."team_id" FROM "runs" r
       WHERE r."team_id" = t."id" AND r."state" IN ('done', 'failed')
         AND r."created_at" < now() - make_interval(days => coalesce(t."retention_days", "default_retention_days"))
       ORDER BY r."created_at" LIMIT "max_rows") r ON true
   LIMIT "max_rows" $$;

CREATE FUNCTION "find_deleted_teams"("max_rows" INTEGER) RETURNS TABLE ("id" UUID)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT "id" FROM "teams" WHERE "deleted_at" IS NOT NULL ORDER BY "deleted_at" LIMIT "max_rows" $$;

CREATE FUNCTION "find_object_deletions"("max_rows" INTEGER) RETURNS TABLE ("id" UUID, "team_id" UUID)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT "id", "team_id" FROM "object_deletions" ORDER BY "created_at" LIMIT "max_rows" $$;

-- Events that no webhook was given yet, and deliveries that are due.
CREATE FUNCTION "find_unsent_events"("max_rows" INTEGER) RETURNS TABLE ("id" UUID, "team_id" UUID)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT "id", "team_id" FROM "team_events" WHERE "fanned_out_at" IS NULL ORDER BY "seq" LIMIT "max_rows" $$;

CREATE FUNCTION "find_due_deliveries"("due_before" TIMESTAMPTZ, "max_rows" INTEGER) RETURNS TABLE ("id" UUID, "team_id" UUID, "attempts" INTEGER)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT "id", "team_id", "attempts" FROM "webhook_deliveries" WHERE "state" = 'pending' AND "next_attempt_at" <= "due_before"
   ORDER BY "next_attempt_at" LIMIT "max_rows" $$;

DO $$
DECLARE
    signature TEXT;
BEGIN
    FOREACH signature IN ARRAY ARRAY['find_api_token(BYTEA)', 'find_invitation(BYTEA)', 'find_team_id(TEXT)',
        'pick_run(TIMESTAMPTZ, INTEGER)', 'measure_backlog()', 'find_dead_letters(TEXT[], INTEGER)',
        'find_expired_runs(INTEGER, INTEGER)', 'find_deleted_teams(INTEGER)', 'find_object_deletions(INTEGER)',
        'find_unsent_events(INTEGER)', 'find_due_deliveries(TIMESTAMPTZ, INTEGER)'] LOOP
        EXECUTE 'REVOKE ALL ON FUNCTION ' || signature || ' FROM PUBLIC';
        EXECUTE 'GRANT EXECUTE ON FUNCTION ' || signature || ' TO "stallscope_app"';
    END LOOP;
END $$;
