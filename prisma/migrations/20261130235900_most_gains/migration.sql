-- What fixing a finding returns at most, beside what is expected.
ALTER TABLE "run_usage" ADD COLUMN "most_gains" JSONB NOT NULL DEFAULT '{}';
