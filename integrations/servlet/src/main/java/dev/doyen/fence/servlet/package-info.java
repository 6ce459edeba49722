/**
 * Guards the resources of a servlet application with fencing tokens.
 *
 * <p>{@link dev.doyen.fence.servlet.FenceFilter} reads the term of each request and rejects a term that is lower than
 * an earlier admitted term. Start reading at this class.
 */
@NullMarked
package dev.doyen.fence.servlet;

import org.jspecify.annotations.NullMarked;
