-- Finding runs: one index for each thing that lists are filtered by. The order within each is that of lists, newest first.

CREATE INDEX "runs_team_id_cluster_created_at_idx" ON "runs"("team_id", "cluster", "created_at" DESC);
CREATE INDEX "runs_team_id_workload_created_at_idx" ON "runs"("team_id", "workload", "created_at" DESC);
CREATE INDEX "runs_team_id_branch_created_at_idx" ON "runs"("team_id", "branch", "created_at" DESC);
CREATE INDEX "runs_team_id_commit_created_at_idx" ON "runs"("team_id", "commit", "created_at" DESC);
CREATE INDEX "runs_team_id_state_created_at_idx" ON "runs"("team_id", "state", "created_at" DESC);
-- From the metrics of a report to its run.
CREATE INDEX "runs_latest_analysis_id_idx" ON "runs"("latest_analysis_id");

-- With the id of the analysis, pages sorted by a metric are read in the order of the index, ties included.
DROP INDEX "metric_values_team_id_metric_id_value_idx";
CREATE INDEX "metric_values_team_id_metric_id_value_analysis_id_idx"
    ON "metric_values"("team_id", "metric_id", "value", "analysis_id");

-- Tags by row: under row-level security Postgres uses an index only with operators that it knows not to leak, and those of
-- arrays are not among them, so that an index over "tags" is never used.
DROP INDEX "runs_tags_idx";
CREATE TABLE "run_tags" (
    "run_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "tag" TEXT NOT NULL,
    CONSTRAINT "run_tags_pkey" PRIMARY KEY ("run_id", "tag"),
    CONSTRAINT "run_tags_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "run_tags" ("run_id", "team_id", "tag")
    SELECT DISTINCT r."id", r."team_id", t."tag" FROM "runs" r CROSS JOIN LATERAL unnest(r."tags") AS t("tag");
CREATE INDEX "run_tags_team_id_tag_run_id_idx" ON "run_tags"("team_id", "tag", "run_id" DESC);

GRANT SELECT, INSERT, UPDATE, DELETE ON "run_tags" TO "stallscope_app";
ALTER TABLE "run_tags" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "team_isolation" ON "run_tags" TO "stallscope_app"
    USING ("team_id" = (SELECT "current_team_id"())) WITH CHECK ("team_id" = (SELECT "current_team_id"()));

-- Whoever writes the tags of a run writes these rows, with the same rights.
CREATE FUNCTION "keep_run_tags"() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS
$$ BEGIN
    IF TG_OP = 'UPDATE' THEN
        DELETE FROM "run_tags" WHERE "run_id" = NEW."id";
    END IF;
    INSERT INTO "run_tags" ("run_id", "team_id", "tag")
        SELECT DISTINCT NEW."id", NEW."team_id", t."tag" FROM unnest(NEW."tags") AS t("tag");
    RETURN NULL;
END $$;
CREATE TRIGGER "runs_keep_tags" AFTER INSERT OR UPDATE OF "tags" ON "runs"
    FOR EACH ROW EXECUTE FUNCTION "keep_run_tags"();
