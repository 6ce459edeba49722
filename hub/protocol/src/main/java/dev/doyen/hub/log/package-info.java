/**
 * The interface between the hub and the log that all nodes of a hub share.
 *
 * <p>The package decides nothing and contains only data. The hub decides which changes exist and what they do; here
 * they are text. Start reading at {@link dev.doyen.hub.log.Proposal}. Source: docs/decisions/0017.
 */
@NullMarked
package dev.doyen.hub.log;

import org.jspecify.annotations.NullMarked;
