/**
 * The package is the interface between the hub and the log of all nodes.
 *
 * <p>The package makes no decisions and contains only data. The hub decides which changes exist and what each change
 * does. In this package a change is text. Start reading at {@link dev.doyen.hub.log.Proposal}. The source of the design
 * is docs/decisions/0017.
 */
@NullMarked
package dev.doyen.hub.log;

import org.jspecify.annotations.NullMarked;
