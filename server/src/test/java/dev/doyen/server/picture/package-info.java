/** Tests of the picture. */
@NullMarked
package dev.doyen.server.picture;

import org.jspecify.annotations.NullMarked;
