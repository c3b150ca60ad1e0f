-- Which installation this is: what is deleted from a bucket must be its own. One row, which the product only reads.
CREATE TABLE "installation" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "is_only" BOOLEAN NOT NULL DEFAULT true,
    CONSTRAINT "installation_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "installation_is_only" CHECK ("is_only"),
    CONSTRAINT "installation_is_only_key" UNIQUE ("is_only")
);
INSERT INTO "installation" DEFAULT VALUES;

CREATE FUNCTION "find_installation_id"() RETURNS UUID
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$ SELECT "id" FROM "installation" $$;
REVOKE ALL ON FUNCTION "find_installation_id"() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION "find_installation_id"() TO "stallscope_app";
