/**
 * Logs each kind of fault once.
 *
 * <p>Internal: only Doyen uses this package.
 */
@NullMarked
package dev.doyen.log;

import org.jspecify.annotations.NullMarked;
