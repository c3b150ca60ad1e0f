-- A rung whose run was deleted stays, and says so: a ladder that lost rungs silently would tell another story.
ALTER TABLE "ladder_rungs" ALTER COLUMN "run_id" DROP NOT NULL;
ALTER TABLE "ladder_rungs" DROP CONSTRAINT "ladder_rungs_run_id_fkey";
ALTER TABLE "ladder_rungs" ADD CONSTRAINT "ladder_rungs_run_id_fkey"
    FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE SET NULL ON UPDATE CASCADE;
