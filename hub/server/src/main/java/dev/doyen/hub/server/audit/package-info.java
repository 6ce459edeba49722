/**
 * Records the rejected clients of the hub in the audit log.
 *
 * <p>The package decides which error codes are recorded. It may call {@code dev.doyen.elector.audit} and the packages
 * of the hub's protocol. Start reading at {@link dev.doyen.hub.server.audit.HubAudit}.
 */
@NullMarked
package dev.doyen.hub.server.audit;

import org.jspecify.annotations.NullMarked;
