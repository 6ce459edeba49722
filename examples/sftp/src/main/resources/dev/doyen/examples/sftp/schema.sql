BEGIN;
-- Several processes begin at once, and CREATE TABLE IF NOT EXISTS is not made for that.
SELECT pg_advisory_xact_lock(hashtext('dev.doyen.examples.sftp'));

-- What leaders have handed out. rows is NULL once they are booked.
CREATE TABLE IF NOT EXISTS import_batch (
  file text,
  first_row bigint,
  next_row bigint NOT NULL,
  next_offset bigint NOT NULL,
  rows text[],
  term bigint NOT NULL,
  handed bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (file, first_row)
);
CREATE INDEX IF NOT EXISTS import_batch_open ON import_batch (handed) WHERE rows IS NOT NULL;

-- Files whose rows are all handed out.
CREATE TABLE IF NOT EXISTS import_file (name text PRIMARY KEY, rows bigint NOT NULL, term bigint NOT NULL);

-- What the clerks have booked: each row of a file once.
CREATE TABLE IF NOT EXISTS payment (
  file text,
  row bigint,
  account text NOT NULL,
  cents bigint NOT NULL,
  fault text,
  booked_by text NOT NULL,
  PRIMARY KEY (file, row)
);
CREATE TABLE IF NOT EXISTS balance (account text PRIMARY KEY, cents bigint NOT NULL);
COMMIT;
