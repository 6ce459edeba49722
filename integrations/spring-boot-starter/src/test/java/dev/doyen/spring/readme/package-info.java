/** Contains the code of the starter's README. */
@NullMarked
package dev.doyen.spring.readme;

import org.jspecify.annotations.NullMarked;
