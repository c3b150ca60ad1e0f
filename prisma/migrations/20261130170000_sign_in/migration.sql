CREATE INDEX "invitations_email_idx" ON "invitations"("email");

-- What an address is invited to, whatever the team: for people whose address an OpenID provider has verified.
CREATE FUNCTION "find_open_invitations"("address" TEXT)
RETURNS TABLE ("id" UUID, "team_id" UUID, "team_slug" TEXT, "team_name" TEXT, "role" TEXT)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT i."id", i."team_id", t."slug", t."name", i."role"::text
   FROM "invitations" i JOIN "teams" t ON t."id" = i."team_id"
   WHERE i."email" = "address" AND i."accepted_at" IS NULL AND i."revoked_at" IS NULL AND i."expires_at" > now()
     AND t."deleted_at" IS NULL
   ORDER BY i."id" DESC $$;
REVOKE ALL ON FUNCTION "find_open_invitations"(TEXT) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION "find_open_invitations"(TEXT) TO "stallscope_app";
