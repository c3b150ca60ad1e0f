-- False while all that is known of whoever chose the password is that they held an invitation to the address. It goes when an
-- OpenID provider or an operator vouches for somebody: until then a stranger may have created the account.
ALTER TABLE "users" ADD COLUMN "address_proven" BOOLEAN NOT NULL DEFAULT true;
