/**
 * The fence at the door of a servlet application: {@link dev.doyen.fence.servlet.FenceFilter} reads the term that comes
 * with a request and refuses a lower one than was admitted before.
 */
@NullMarked
package dev.doyen.fence.servlet;

import org.jspecify.annotations.NullMarked;
