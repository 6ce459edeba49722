/**
 * The package connects the nodes of one hub. The package contains the changes on which the nodes agree, and the
 * connections at other nodes.
 *
 * <p>The package calls {@code connection}, {@code presence} and {@code log}. The source of the design is
 * docs/decisions/0017. Start reading at {@link dev.doyen.hub.nodes.Nodes}.
 */
@NullMarked
package dev.doyen.hub.nodes;

import org.jspecify.annotations.NullMarked;
