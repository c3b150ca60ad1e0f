-- The runs of a series and branch in the order of time.
DROP INDEX "runs_series_id_idx";
CREATE INDEX "runs_lane_idx" ON "runs"("series_id", (coalesce("branch", '')), (coalesce("started_at", "created_at")));
