/**
 * Connects the nodes of one hub: the changes that they agree on, and connections at other nodes.
 *
 * <p>It calls {@code connection}, {@code presence} and {@code log}. Source: docs/decisions/0017. Start reading at
 * {@link dev.doyen.hub.nodes.Nodes}.
 */
@NullMarked
package dev.doyen.hub.nodes;

import org.jspecify.annotations.NullMarked;
