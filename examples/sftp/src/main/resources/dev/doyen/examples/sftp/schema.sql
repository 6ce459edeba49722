BEGIN;
-- Several processes can start at once, and CREATE TABLE IF NOT EXISTS can fail then.
SELECT pg_advisory_xact_lock(hashtext('dev.doyen.examples.sftp'));

-- The batches that leaders have distributed. The column rows is NULL after the batch is booked.
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

-- The files whose rows have all been distributed.
CREATE TABLE IF NOT EXISTS import_file (name text PRIMARY KEY, rows bigint NOT NULL, term bigint NOT NULL);

-- The rows that have been booked. The primary key prevents a second booking of a row.
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
