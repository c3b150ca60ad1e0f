-- The generation of the first analysis that took the artifact in; null while none did. What is uploaded and in no analysis
-- makes the run be analysed again.
ALTER TABLE "artifacts" ADD COLUMN "included_in" INTEGER;
UPDATE "artifacts" a SET "included_in" = r."generation" FROM "runs" r
    WHERE r."id" = a."run_id" AND r."state" IN ('analyzing', 'done', 'failed') AND a."state" IN ('uploaded', 'verified');
CREATE INDEX "artifacts_awaited_idx" ON "artifacts"("created_at") WHERE "state" = 'awaitingUpload';
CREATE INDEX "runs_failures_idx" ON "runs"("failure_code", "state_changed_at") WHERE "state" = 'failed';

-- Artifacts that were registered after their run was first completed, and that nobody uploaded.
CREATE FUNCTION "find_abandoned_artifacts"("registered_before" TIMESTAMPTZ, "max_rows" INTEGER)
RETURNS TABLE ("id" UUID, "team_id" UUID)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT a."id", a."team_id" FROM "artifacts" a JOIN "runs" r ON r."id" = a."run_id"
   WHERE a."state" = 'awaitingUpload' AND a."created_at" < "registered_before" AND r."state" <> 'awaitingUpload'
   ORDER BY a."created_at" LIMIT "max_rows" $$;

-- How many runs failed with these codes, over all teams; names no team.
CREATE FUNCTION "count_failures"("codes" TEXT[]) RETURNS BIGINT
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT count(*) FROM "runs" WHERE "state" = 'failed' AND "failure_code" = ANY("codes") $$;

-- For operators, who name a run by its id.
CREATE FUNCTION "find_team_of_run"("run" UUID) RETURNS UUID
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT "team_id" FROM "runs" WHERE "id" = "run" $$;

DO $$
DECLARE
    signature TEXT;
BEGIN
    FOREACH signature IN ARRAY ARRAY['find_abandoned_artifacts(TIMESTAMPTZ, INTEGER)', 'count_failures(TEXT[])',
        'find_team_of_run(UUID)'] LOOP
        EXECUTE 'REVOKE ALL ON FUNCTION ' || signature || ' FROM PUBLIC';
        EXECUTE 'GRANT EXECUTE ON FUNCTION ' || signature || ' TO "stallscope_app"';
    END LOOP;
END $$;
