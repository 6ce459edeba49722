-- The lease table of Doyen. The database must compare names byte by byte.
CREATE TABLE IF NOT EXISTS doyen_lease (name text COLLATE "C" PRIMARY KEY, revision bigint NOT NULL, record text NOT NULL);
