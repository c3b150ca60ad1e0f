-- Tables --------------------------------------------------------------------------------------------------------------

CREATE TYPE "role" AS ENUM ('owner', 'admin', 'member', 'viewer');
CREATE TYPE "run_state" AS ENUM ('awaitingUpload', 'queued', 'analyzing', 'done', 'failed');
CREATE TYPE "artifact_state" AS ENUM ('awaitingUpload', 'uploaded', 'verified', 'rejected');

CREATE TABLE "teams" (
    "id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "teams_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "teams_slug_key" ON "teams"("slug");

CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "users_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "users_email_lower" CHECK ("email" = lower("email"))
);
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

CREATE TABLE "memberships" (
    "team_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" "role" NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "memberships_pkey" PRIMARY KEY ("team_id", "user_id"),
    CONSTRAINT "memberships_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "api_tokens" (
    "id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "scopes" TEXT[],
    "expires_at" TIMESTAMPTZ(6),
    "last_used_at" TIMESTAMPTZ(6),
    "revoked_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "api_tokens_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "api_tokens_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "api_tokens_token_hash_key" ON "api_tokens"("token_hash");
CREATE INDEX "api_tokens_team_id_idx" ON "api_tokens"("team_id");

CREATE TABLE "runs" (
    "id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "model" TEXT NOT NULL,
    "cluster" TEXT NOT NULL,
    "workload" TEXT,
    "branch" TEXT,
    "commit" TEXT,
    "world_size" INTEGER,
    "tags" TEXT[],
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "state" "run_state" NOT NULL DEFAULT 'awaitingUpload',
    "state_changed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "generation" INTEGER NOT NULL DEFAULT 0,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "failure_code" TEXT,
    "failure_reason" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "runs_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "runs_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "runs_failed_has_reason" CHECK (("state" = 'failed') = ("failure_code" IS NOT NULL AND "failure_reason" IS NOT NULL))
);
CREATE INDEX "runs_team_id_created_at_id_idx" ON "runs"("team_id", "created_at" DESC, "id" DESC);
CREATE INDEX "runs_state_state_changed_at_idx" ON "runs"("state", "state_changed_at");

CREATE TABLE "artifacts" (
    "id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "size_bytes" BIGINT NOT NULL,
    "sha256" TEXT NOT NULL,
    "state" "artifact_state" NOT NULL DEFAULT 'awaitingUpload',
    "object_key" TEXT NOT NULL,
    "upload_id" TEXT,
    "part_size_bytes" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "artifacts_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "artifacts_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "artifacts_size_bytes_positive" CHECK ("size_bytes" > 0),
    CONSTRAINT "artifacts_sha256_hex" CHECK ("sha256" ~ '^[0-9a-f]{64}$')
);
CREATE UNIQUE INDEX "artifacts_run_id_name_key" ON "artifacts"("run_id", "name");
CREATE INDEX "artifacts_team_id_sha256_idx" ON "artifacts"("team_id", "sha256");

CREATE TABLE "analyses" (
    "id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "generation" INTEGER NOT NULL,
    "analysis_version" TEXT NOT NULL,
    "bottleneck" TEXT NOT NULL,
    "confidence" TEXT NOT NULL,
    "summary" TEXT NOT NULL,
    "report" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "analyses_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "analyses_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "analyses_run_id_generation_key" ON "analyses"("run_id", "generation");

CREATE TABLE "metric_values" (
    "analysis_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "metric_id" TEXT NOT NULL,
    "value" DOUBLE PRECISION,
    "unit" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "reason" TEXT,
    CONSTRAINT "metric_values_pkey" PRIMARY KEY ("analysis_id", "metric_id"),
    CONSTRAINT "metric_values_analysis_id_fkey" FOREIGN KEY ("analysis_id") REFERENCES "analyses"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "metric_values_missing_has_reason" CHECK (("source" = 'notMeasurable') = ("value" IS NULL) AND ("value" IS NOT NULL OR "reason" IS NOT NULL))
);

CREATE TABLE "step_breakdowns" (
    "analysis_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "rank" INTEGER NOT NULL,
    "step_index" INTEGER NOT NULL,
    "wall_ns" BIGINT NOT NULL,
    "compute_ns" BIGINT NOT NULL,
    "exposed_communication_ns" BIGINT NOT NULL,
    "exposed_memcpy_ns" BIGINT NOT NULL,
    "idle_ns" BIGINT NOT NULL,
    "idle" JSONB NOT NULL,
    CONSTRAINT "step_breakdowns_pkey" PRIMARY KEY ("analysis_id", "rank", "step_index"),
    CONSTRAINT "step_breakdowns_analysis_id_fkey" FOREIGN KEY ("analysis_id") REFERENCES "analyses"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "step_breakdowns_sum" CHECK ("wall_ns" = "compute_ns" + "exposed_communication_ns" + "exposed_memcpy_ns" + "idle_ns"),
    CONSTRAINT "step_breakdowns_not_negative" CHECK ("compute_ns" >= 0 AND "exposed_communication_ns" >= 0 AND "exposed_memcpy_ns" >= 0 AND "idle_ns" >= 0)
);

CREATE TABLE "findings" (
    "analysis_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "rule" TEXT NOT NULL,
    "bottleneck" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "confidence" TEXT NOT NULL,
    "expected_step_ns" BIGINT,
    "evidence" JSONB NOT NULL,
    "fixes" JSONB NOT NULL,
    CONSTRAINT "findings_pkey" PRIMARY KEY ("analysis_id", "ordinal"),
    CONSTRAINT "findings_analysis_id_fkey" FOREIGN KEY ("analysis_id") REFERENCES "analyses"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "idempotency_records" (
    "team_id" UUID NOT NULL,
    "route" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "status_code" INTEGER,
    "response" JSONB,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "idempotency_records_pkey" PRIMARY KEY ("team_id", "route", "key")
);
CREATE INDEX "idempotency_records_created_at_idx" ON "idempotency_records"("created_at");

-- The role of the running product -------------------------------------------------------------------------------------
-- It owns no table, is no superuser and cannot bypass row-level security. The API and the workers take it on
-- (SET ROLE) after connecting, and refuse to start when they find themselves with more rights than it has.

DO $$
BEGIN
    CREATE ROLE "stallscope_app" NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
DO $$
BEGIN
    -- A superuser may take on any role; anybody else needs the membership.
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
        EXECUTE format('GRANT "stallscope_app" TO %I', current_user);
    END IF;
END $$;
GRANT USAGE ON SCHEMA "public" TO "stallscope_app";
GRANT SELECT, INSERT, UPDATE, DELETE ON
    "teams", "users", "memberships", "api_tokens", "runs", "artifacts", "analyses", "metric_values", "step_breakdowns",
    "findings", "idempotency_records"
TO "stallscope_app";

-- Row-level security --------------------------------------------------------------------------------------------------
-- The sub-select is evaluated once per query, not once per row. Without a team set, the setting is empty or NULL and
-- no row is visible.

CREATE FUNCTION "current_team_id"() RETURNS UUID LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT NULLIF(current_setting('app.team_id', true), '')::uuid $$;

ALTER TABLE "teams" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "team_isolation" ON "teams" TO "stallscope_app"
    USING ("id" = (SELECT "current_team_id"())) WITH CHECK ("id" = (SELECT "current_team_id"()));

DO $$
DECLARE
    table_name TEXT;
BEGIN
    FOREACH table_name IN ARRAY ARRAY['memberships', 'api_tokens', 'runs', 'artifacts', 'analyses', 'metric_values',
                                      'step_breakdowns', 'findings', 'idempotency_records'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', table_name);
        EXECUTE format('CREATE POLICY "team_isolation" ON %I TO "stallscope_app" '
            'USING ("team_id" = (SELECT "current_team_id"())) WITH CHECK ("team_id" = (SELECT "current_team_id"()))', table_name);
    END LOOP;
END $$;

-- What must be known before the team is known ---------------------------------------------------------------------------
-- Each function runs with its owner's rights and answers one narrow question; nothing else crosses teams.

-- The token with this hash, whatever its team.
CREATE FUNCTION "find_api_token"("hash" BYTEA)
RETURNS TABLE ("id" UUID, "team_id" UUID, "scopes" TEXT[], "expires_at" TIMESTAMPTZ, "revoked_at" TIMESTAMPTZ)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT t."id", t."team_id", t."scopes", t."expires_at", t."revoked_at" FROM "api_tokens" t WHERE t."token_hash" = "hash" $$;

-- The teams of a person.
CREATE FUNCTION "find_memberships"("user" UUID)
RETURNS TABLE ("team_id" UUID, "slug" TEXT, "name" TEXT, "role" TEXT)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT t."id", t."slug", t."name", m."role"::text FROM "memberships" m JOIN "teams" t ON t."id" = m."team_id" WHERE m."user_id" = "user" ORDER BY m."created_at" $$;

-- Runs whose work may have been lost: queued or analyzing and unchanged since before the given time.
CREATE FUNCTION "find_stalled_runs"("unchanged_since" TIMESTAMPTZ, "max_rows" INTEGER)
RETURNS TABLE ("id" UUID, "team_id" UUID, "generation" INTEGER, "state" TEXT, "state_changed_at" TIMESTAMPTZ)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT r."id", r."team_id", r."generation", r."state"::text, r."state_changed_at" FROM "runs" r
   WHERE r."state" IN ('queued', 'analyzing') AND r."state_changed_at" < "unchanged_since"
   ORDER BY r."state_changed_at" LIMIT "max_rows" $$;

-- How many runs are in each state over all teams, for the service's own metrics; names no team.
CREATE FUNCTION "count_runs_by_state"()
RETURNS TABLE ("state" TEXT, "runs" BIGINT)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT r."state"::text, count(*) FROM "runs" r WHERE r."state" IN ('awaitingUpload', 'queued', 'analyzing') GROUP BY r."state" $$;

REVOKE ALL ON FUNCTION "find_api_token"(BYTEA), "find_memberships"(UUID), "find_stalled_runs"(TIMESTAMPTZ, INTEGER), "count_runs_by_state"() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION "find_api_token"(BYTEA), "find_memberships"(UUID), "find_stalled_runs"(TIMESTAMPTZ, INTEGER), "count_runs_by_state"() TO "stallscope_app";
