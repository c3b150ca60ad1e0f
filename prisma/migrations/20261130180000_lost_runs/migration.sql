-- Runs that wait or are analyzed and have given no sign of life, of each team as many as it may have analysed now: the
-- backlog of a team at its limit is not lost, and hides nobody's lost run.
CREATE FUNCTION "find_lost_runs"("silent_since" TIMESTAMPTZ, "default_concurrency" INTEGER, "max_rows" INTEGER)
RETURNS TABLE ("id" UUID, "team_id" UUID, "generation" INTEGER, "state" TEXT)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ WITH busy AS (
       SELECT r."team_id", count(*) AS "analyses" FROM "runs" r
       WHERE r."state" = 'analyzing' AND r."state_changed_at" >= "silent_since" GROUP BY r."team_id")
   SELECT r."id", r."team_id", r."generation", r."state"::text
   FROM "teams" t LEFT JOIN busy b ON b."team_id" = t."id" JOIN LATERAL (
       SELECT w."id", w."team_id", w."generation", w."state", w."state_changed_at" FROM "runs" w
       WHERE w."team_id" = t."id" AND w."state" IN ('queued', 'analyzing') AND w."state_changed_at" < "silent_since"
         AND (w."not_before" IS NULL OR w."not_before" <= now())
       ORDER BY w."queued_at", w."id"
       LIMIT greatest(0, coalesce(t."max_concurrent_analyses", "default_concurrency") - coalesce(b."analyses", 0))) r ON true
   WHERE t."deleted_at" IS NULL ORDER BY r."state_changed_at" LIMIT "max_rows" $$;

REVOKE ALL ON FUNCTION "find_lost_runs"(TIMESTAMPTZ, INTEGER, INTEGER) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION "find_lost_runs"(TIMESTAMPTZ, INTEGER, INTEGER) TO "stallscope_app";
DROP FUNCTION "find_stalled_runs"(TIMESTAMPTZ, INTEGER);
