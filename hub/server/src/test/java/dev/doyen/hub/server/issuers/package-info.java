/** Tests of the key sets of trusted token issuers. */
@NullMarked
package dev.doyen.hub.server.issuers;

import org.jspecify.annotations.NullMarked;
