-- Since when the current signing secret is in use; for a while after that, the one before signs too.
ALTER TABLE "webhook_endpoints" ADD COLUMN "secret_rotated_at" TIMESTAMPTZ(6);

-- A worker is at it until then at the latest; NULL between attempts.
ALTER TABLE "webhook_deliveries" ADD COLUMN "claimed_until" TIMESTAMPTZ(6);
CREATE INDEX "webhook_deliveries_endpoint_due_idx" ON "webhook_deliveries"("endpoint_id", "next_attempt_at") WHERE "state" = 'pending';
CREATE INDEX "webhook_deliveries_claimed_idx" ON "webhook_deliveries"("team_id", "claimed_until") WHERE "claimed_until" IS NOT NULL;
CREATE INDEX "webhook_deliveries_ended_at_idx" ON "webhook_deliveries"("ended_at") WHERE "ended_at" IS NOT NULL;

-- Deliveries that are due: a few of each endpoint and of each team, first the first of every team, so that a long line at
-- one of them keeps nobody else waiting.
DROP FUNCTION "find_due_deliveries"(TIMESTAMPTZ, INTEGER);
CREATE FUNCTION "find_due_deliveries"("due_before" TIMESTAMPTZ, "per_endpoint" INTEGER, "per_team" INTEGER, "max_rows" INTEGER)
RETURNS TABLE ("id" UUID, "team_id" UUID)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT p."id", p."team_id" FROM (
       SELECT d."id", e."team_id", d."next_attempt_at",
              row_number() OVER (PARTITION BY e."team_id" ORDER BY d."next_attempt_at", d."id") AS "place"
       FROM "webhook_endpoints" e JOIN "teams" t ON t."id" = e."team_id" CROSS JOIN LATERAL (
           SELECT d."id", d."next_attempt_at" FROM "webhook_deliveries" d
           WHERE d."endpoint_id" = e."id" AND d."state" = 'pending' AND d."next_attempt_at" <= "due_before"
           ORDER BY d."next_attempt_at" LIMIT "per_endpoint") d
       WHERE t."deleted_at" IS NULL) p
   WHERE p."place" <= "per_team" ORDER BY p."place", p."next_attempt_at" LIMIT "max_rows" $$;

-- Since when the oldest event waits to be handed to webhooks, and the oldest delivery to be sent; names no team.
CREATE FUNCTION "measure_webhook_backlog"() RETURNS TABLE ("oldest_event" TIMESTAMPTZ, "oldest_due" TIMESTAMPTZ)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT (SELECT min("created_at") FROM "team_events" WHERE "fanned_out_at" IS NULL),
          (SELECT min("next_attempt_at") FROM "webhook_deliveries" WHERE "state" = 'pending' AND "next_attempt_at" <= now()) $$;

-- Deliveries that ended so long ago that nobody will ask for them.
CREATE FUNCTION "delete_old_deliveries"("ended_before" TIMESTAMPTZ, "max_rows" INTEGER) RETURNS BIGINT
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ WITH gone AS (
       DELETE FROM "webhook_deliveries" WHERE "id" IN (
           SELECT "id" FROM "webhook_deliveries" WHERE "ended_at" < "ended_before" ORDER BY "ended_at" LIMIT "max_rows")
       RETURNING 1)
   SELECT count(*) FROM gone $$;

DO $$
DECLARE
    signature TEXT;
BEGIN
    FOREACH signature IN ARRAY ARRAY['find_due_deliveries(TIMESTAMPTZ, INTEGER, INTEGER, INTEGER)',
        'measure_webhook_backlog()', 'delete_old_deliveries(TIMESTAMPTZ, INTEGER)'] LOOP
        EXECUTE 'REVOKE ALL ON FUNCTION ' || signature || ' FROM PUBLIC';
        EXECUTE 'GRANT EXECUTE ON FUNCTION ' || signature || ' TO "stallscope_app"';
    END LOOP;
END $$;
