/**
 * The TLS certificates of servers.
 *
 * <p>The package decides which certificate, protocols and cipher suites a server uses. It uses only the JDK's TLS, and
 * no sockets. Start reading at {@link dev.doyen.elector.tls.ServerTls}.
 */
@NullMarked
package dev.doyen.elector.tls;

import org.jspecify.annotations.NullMarked;
