/** Tests of the decisions about the content of an image. */
@NullMarked
package dev.doyen.image;

import org.jspecify.annotations.NullMarked;
