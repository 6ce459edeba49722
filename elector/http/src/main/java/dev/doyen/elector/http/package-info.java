/**
 * The HTTP layer of every port. The package contains the pipeline, limits, deadlines, static files, and the handlers of
 * the elector API.
 *
 * <p>Code in this package runs on Netty's event loops and must not block them. Start with {@code HttpPipeline}, then
 * read the implementations of {@code HttpHandler}.
 */
@NullMarked
package dev.doyen.elector.http;

import org.jspecify.annotations.NullMarked;
