-- What is deleted goes by these.
CREATE INDEX "team_events_created_at_idx" ON "team_events"("created_at");
CREATE INDEX "webhook_deliveries_event_id_idx" ON "webhook_deliveries"("event_id");

-- Events that nobody will ask for any more.
CREATE FUNCTION "delete_old_events"("created_before" TIMESTAMPTZ, "max_rows" INTEGER) RETURNS BIGINT
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ WITH gone AS (
       DELETE FROM "team_events" WHERE "id" IN (
           SELECT "id" FROM "team_events" WHERE "created_at" < "created_before" ORDER BY "created_at"
           LIMIT "max_rows" FOR UPDATE SKIP LOCKED)
       RETURNING 1)
   SELECT count(*) FROM gone $$;

-- Answers kept for requests that will not be sent again.
CREATE FUNCTION "delete_old_answers"("created_before" TIMESTAMPTZ, "max_rows" INTEGER) RETURNS BIGINT
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ WITH gone AS (
       DELETE FROM "idempotency_records" WHERE ("team_id", "route", "key") IN (
           SELECT "team_id", "route", "key" FROM "idempotency_records" WHERE "created_at" < "created_before"
           ORDER BY "created_at" LIMIT "max_rows" FOR UPDATE SKIP LOCKED)
       RETURNING 1)
   SELECT count(*) FROM gone $$;

DO $$
DECLARE
    signature TEXT;
BEGIN
    FOREACH signature IN ARRAY ARRAY['delete_old_events(TIMESTAMPTZ, INTEGER)', 'delete_old_answers(TIMESTAMPTZ, INTEGER)'] LOOP
        EXECUTE 'REVOKE ALL ON FUNCTION ' || signature || ' FROM PUBLIC';
        EXECUTE 'GRANT EXECUTE ON FUNCTION ' || signature || ' TO "stallscope_app"';
    END LOOP;
END $$;
