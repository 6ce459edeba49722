/** Tests of the picture. */
@NullMarked
package dev.doyen.server.picture.driver;

import org.jspecify.annotations.NullMarked;
