/**
 * This hub as one node of several: the log that all share, in Redis. What the entries mean is the machine's; what is
 * all or nothing is a function in Redis ({@code hub.lua}). Source: docs/decisions/0017.
 */
@NullMarked
package dev.doyen.server.nodes;

import org.jspecify.annotations.NullMarked;
