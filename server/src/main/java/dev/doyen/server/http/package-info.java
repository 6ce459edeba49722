/**
 * HTTP without opinions: one pipeline with limits and deadlines, the demo page's files, and the shell of the elector.
 *
 * <p>Everything here runs on Netty's event loops and never blocks them. Entry types: {@code HttpPipeline} and the sites.
 */
@NullMarked
package dev.doyen.server.http;

import org.jspecify.annotations.NullMarked;
