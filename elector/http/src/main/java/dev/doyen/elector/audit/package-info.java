/**
 * The audit log: who sent admin commands, and which clients the program rejected.
 *
 * <p>{@link dev.doyen.elector.audit.AuditFile} decides which records the log leaves out if there are too many. The
 * package calls only Jackson and {@code dev.doyen.log}. Start reading at {@link dev.doyen.elector.audit.AuditLog}.
 */
@NullMarked
package dev.doyen.elector.audit;

import org.jspecify.annotations.NullMarked;
