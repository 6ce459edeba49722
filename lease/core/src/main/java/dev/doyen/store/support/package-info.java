/**
 * Code that several stores of Doyen share: URLs, asynchronous requests, watches, file names and keys.
 *
 * <p>This package is internal. It uses only {@code dev.doyen.store}, {@code dev.doyen.log}, one type of {@code
 * dev.doyen.election}, and the JDK. Start with {@code PipelinedLeaseStore}.
 */
@NullMarked
package dev.doyen.store.support;

import org.jspecify.annotations.NullMarked;
