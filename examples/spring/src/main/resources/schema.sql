-- Several instances start at once, and CREATE TABLE IF NOT EXISTS can fail then.
BEGIN;
SELECT pg_advisory_xact_lock(hashtext('dev.doyen.examples.spring'));

CREATE TABLE IF NOT EXISTS account (id bigint PRIMARY KEY, cents bigint NOT NULL);

-- One row: the last paid period, and the fence, which is the highest term that has written.
CREATE TABLE IF NOT EXISTS checkpoint (period bigint NOT NULL, term bigint NOT NULL, began timestamptz NOT NULL);
INSERT INTO checkpoint SELECT 0, 0, now() WHERE NOT EXISTS (SELECT FROM checkpoint);

-- The payments in their order. No key here prevents a second payment of a period.
CREATE TABLE IF NOT EXISTS payment (
  number bigint GENERATED ALWAYS AS IDENTITY,
  period bigint NOT NULL,
  term bigint NOT NULL,
  paid_by text NOT NULL
);

INSERT INTO account SELECT id, id * 10000 FROM generate_series(1, 100) id ON CONFLICT DO NOTHING;
COMMIT;
