-- What happened to several runs since an event of each, for the event streams of one process: one question for all of them,
-- whatever their teams. A run is named with its team, so that a wrong pair finds nothing.
CREATE FUNCTION "find_run_events"("teams" UUID[], "runs" UUID[], "afters" BIGINT[], "max_rows" INTEGER)
RETURNS TABLE ("seq" BIGINT, "run_id" UUID, "type" TEXT, "data" JSONB, "created_at" TIMESTAMPTZ)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT e."seq", e."run_id", e."type", e."data", e."created_at"
   FROM unnest("teams", "runs", "afters") AS w("team_id", "run_id", "after")
   CROSS JOIN LATERAL (
       SELECT * FROM "team_events" e
       WHERE e."run_id" = w."run_id" AND e."team_id" = w."team_id" AND e."seq" > w."after"
       ORDER BY e."seq" LIMIT "max_rows") e
   ORDER BY e."seq" $$;
REVOKE ALL ON FUNCTION "find_run_events"(UUID[], UUID[], BIGINT[], INTEGER) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION "find_run_events"(UUID[], UUID[], BIGINT[], INTEGER) TO "stallscope_app";
