-- Runs whose upload was begun and not completed: awaiting it, and unchanged since before the given time.
CREATE FUNCTION "find_abandoned_runs"("unchanged_since" TIMESTAMPTZ, "max_rows" INTEGER)
RETURNS TABLE ("id" UUID, "team_id" UUID, "generation" INTEGER, "attempts" INTEGER)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT r."id", r."team_id", r."generation", r."attempts" FROM "runs" r
   WHERE r."state" = 'awaitingUpload' AND r."state_changed_at" < "unchanged_since"
   ORDER BY r."state_changed_at" LIMIT "max_rows" $$;

REVOKE ALL ON FUNCTION "find_abandoned_runs"(TIMESTAMPTZ, INTEGER) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION "find_abandoned_runs"(TIMESTAMPTZ, INTEGER) TO "stallscope_app";
