/**
 * Guards a servlet application with fencing tokens.
 *
 * <p>{@link dev.doyen.fence.servlet.FenceFilter} reads the term of a request, and rejects one that is lower than a term
 * admitted before. Start there.
 */
@NullMarked
package dev.doyen.fence.servlet;

import org.jspecify.annotations.NullMarked;
