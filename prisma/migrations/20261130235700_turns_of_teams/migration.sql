-- No team waits until the backlog of another one is done with.

DROP INDEX "runs_not_trended_idx";
CREATE INDEX "runs_not_trended_of_team_idx" ON "runs"("team_id", "state_changed_at", "id")
    WHERE "state" = 'done' AND "trended_generation" < "generation";

-- Finished runs whose metrics are not in their series yet: the oldest of every team, then the second of every team.
CREATE OR REPLACE FUNCTION "find_untrended_runs"("max_rows" INTEGER) RETURNS TABLE ("id" UUID, "team_id" UUID, "at" TIMESTAMPTZ)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ WITH RECURSIVE "waiting" AS (
       (SELECT r."team_id" FROM "runs" r WHERE r."state" = 'done' AND r."trended_generation" < r."generation"
        ORDER BY r."team_id" LIMIT 1)
       UNION ALL
       SELECT (SELECT r."team_id" FROM "runs" r WHERE r."state" = 'done' AND r."trended_generation" < r."generation"
               AND r."team_id" > w."team_id" ORDER BY r."team_id" LIMIT 1)
       FROM "waiting" w WHERE w."team_id" IS NOT NULL)
   SELECT t."id", w."team_id", t."at" FROM "waiting" w CROSS JOIN LATERAL (
       SELECT o.*, row_number() OVER (ORDER BY o."state_changed_at", o."id") AS "turn" FROM (
           SELECT r."id", r."state_changed_at", coalesce(r."started_at", r."created_at") AS "at" FROM "runs" r
           WHERE r."team_id" = w."team_id" AND r."state" = 'done' AND r."trended_generation" < r."generation"
           ORDER BY r."state_changed_at", r."id" LIMIT "max_rows") o) t
   ORDER BY t."turn", t."state_changed_at", t."id" LIMIT "max_rows" $$;

CREATE INDEX "touched_days_team_id_series_id_branch_day_idx" ON "touched_days"("team_id", "series_id", "branch", "day");

-- As above, of days whose values are to be made anew.
CREATE OR REPLACE FUNCTION "find_touched_days"("max_rows" INTEGER) RETURNS TABLE ("id" TEXT, "team_id" UUID)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ WITH RECURSIVE "waiting" AS (
       (SELECT d."team_id" FROM "touched_days" d ORDER BY d."team_id" LIMIT 1)
       UNION ALL
       SELECT (SELECT d."team_id" FROM "touched_days" d WHERE d."team_id" > w."team_id" ORDER BY d."team_id" LIMIT 1)
       FROM "waiting" w WHERE w."team_id" IS NOT NULL)
   SELECT t."id"::text, w."team_id" FROM "waiting" w CROSS JOIN LATERAL (
       SELECT o."id", row_number() OVER (ORDER BY o."id") AS "turn" FROM (
           SELECT d."id" FROM "touched_days" d WHERE d."team_id" = w."team_id" ORDER BY d."id" LIMIT "max_rows") o) t
   ORDER BY t."turn", t."id" LIMIT "max_rows" $$;

-- Days that are not final are made from runs that are still there, however long ago they ran.
DROP INDEX "point_days_day_idx";
CREATE INDEX "point_days_final_day_idx" ON "point_days"("day") WHERE "is_final";
CREATE OR REPLACE FUNCTION "delete_old_point_days"("before" DATE, "max_rows" INTEGER) RETURNS INTEGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    deleted INTEGER;
BEGIN
    DELETE FROM "point_days" WHERE "ctid" = ANY(ARRAY(
        SELECT "ctid" FROM "point_days" WHERE "day" < "before" AND "is_final" LIMIT "max_rows"));
    GET DIAGNOSTICS deleted = ROW_COUNT;
    RETURN deleted;
END $$;
