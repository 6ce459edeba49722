-- The lease table of Doyen. The database must compare names byte by byte.
CREATE TABLE IF NOT EXISTS doyen_lease (name TEXT NOT NULL PRIMARY KEY, revision INTEGER NOT NULL, record TEXT NOT NULL);
