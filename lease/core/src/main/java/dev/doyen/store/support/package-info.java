/**
 * The code that several stores of Doyen share: requests in flight, watches, names of files, and keys.
 *
 * <p>Internal. It calls the store port and the JDK only. Start with {@code PipelinedLeaseStore}.
 */
@NullMarked
package dev.doyen.store.support;

import org.jspecify.annotations.NullMarked;
