-- The lease table of Doyen. The database must compare names byte by byte.
CREATE TABLE IF NOT EXISTS doyen_lease (name VARBINARY(765) PRIMARY KEY, revision BIGINT NOT NULL, record MEDIUMTEXT CHARACTER SET utf8mb4 NOT NULL) ENGINE = InnoDB;
