package dev.doyen.elector.audit;

/**
 * Receives the records of the audit log.
 *
 * <p>Threads: any. {@link #write} returns at once.
 */
public interface AuditLog extends AutoCloseable {

    /** The log that discards all records. */
    AuditLog NONE = new AuditLog() {
        @Override
        public void write(AuditRecord entry) {
            // This log discards the record.
        }

        @Override
        public void close() {
            // This log has no resources.
        }
    };

    void write(AuditRecord entry);

    /**
     * Writes the records that wait, and closes the log.
     *
     * <p>The method blocks for at most 2 s. Later records have no effect.
     */
    @Override
    void close();
}
