/**
 * What the hub's machine and the log that all nodes of a hub share say to each other. Which changes there are, and what they
 * do, is the machine's: here they are text. Source: docs/decisions/0017.
 */
@NullMarked
package dev.doyen.hub.nodes;

import org.jspecify.annotations.NullMarked;
