-- The run that the answer is about; when it is deleted the answer goes with it, and the key is free again.
ALTER TABLE "idempotency_records" ADD COLUMN "run_id" UUID;
UPDATE "idempotency_records" i SET "run_id" = r."id" FROM "runs" r WHERE r."id"::text = i."response"->>'id';
ALTER TABLE "idempotency_records" ADD CONSTRAINT "idempotency_records_run_id_fkey"
    FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "idempotency_records_run_id_idx" ON "idempotency_records"("run_id");
