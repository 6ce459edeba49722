/**
 * The TLS certificates of servers, read from PEM files. The package decides when a changed file replaces the
 * certificate.
 *
 * <p>The package uses only the JDK's TLS, and no sockets. Start with {@code ServerTls}.
 */
@NullMarked
package dev.doyen.elector.tls;

import org.jspecify.annotations.NullMarked;
