-- Regressions as people use them.

ALTER TABLE "regressions"
    -- Runs from then on say whether it is over, or still there: those before were known when somebody decided.
    ADD COLUMN "followed_from" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    -- Noise of single runs around the level before.
    ADD COLUMN "sigma" DOUBLE PRECISION NOT NULL DEFAULT 0,
    -- What webhooks were told last; null before they were told anything.
    ADD COLUMN "told_state" TEXT;
UPDATE "regressions" SET "followed_from" = "first_bad_at";

-- Lists go by id, which is in the order of opening.
DROP INDEX "regressions_open_idx";
CREATE INDEX "regressions_unresolved_idx" ON "regressions"("team_id", "id" DESC) WHERE "state" <> 'resolved';
CREATE INDEX "regressions_lane_idx" ON "regressions"("series_id", "branch");

-- The regression whose level was accepted: reopening it takes the acceptance back.
ALTER TABLE "series_segments" ADD COLUMN "regression_id" UUID;

-- low, normal or high, in the place of the two numbers.
ALTER TABLE "trend_settings" ADD COLUMN "sensitivity" TEXT;

-- Regressions that nothing shows any more: all runs since they began were deleted.
CREATE FUNCTION "find_unfounded_regressions"("max_rows" INTEGER) RETURNS TABLE ("id" UUID, "team_id" UUID)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT g."id", g."team_id" FROM "regressions" g WHERE g."state" <> 'resolved' AND NOT EXISTS (
       SELECT 1 FROM "runs" r WHERE r."series_id" = g."series_id" AND coalesce(r."branch", '') = g."branch"
         AND coalesce(r."started_at", r."created_at") >= g."first_bad_at")
   ORDER BY g."opened_at" LIMIT "max_rows" $$;
REVOKE ALL ON FUNCTION "find_unfounded_regressions"(INTEGER) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION "find_unfounded_regressions"(INTEGER) TO "stallscope_app";
