# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
# Sources of the staged tree (scripts/build/cann_stage.py) for both CANN routes. FA_SNAKES: names of the operators.
set(FA_STAGE "${CMAKE_CURRENT_LIST_DIR}")

foreach(op flash_attention_score flash_attention_score_grad)
    file(GLOB definitions "${FA_STAGE}/${op}/op_host/*_def.cpp")
    file(GLOB inference "${FA_STAGE}/${op}/op_host/*_infershape.cpp")
    file(GLOB tiling "${FA_STAGE}/${op}/op_host/*.cpp" "${FA_STAGE}/${op}/op_host/tiling_strategies/*.cpp")
    list(FILTER tiling EXCLUDE REGEX "_(def|infershape)\\.cpp$")
    file(GLOB api "${FA_STAGE}/${op}/op_api/*.cpp")
    file(GLOB headers "${FA_STAGE}/${op}/op_api/aclnn_*.h")
    foreach(kind definitions inference tiling api headers)
        if(NOT ${kind})
            message(FATAL_ERROR "FA: no ${kind} of ${op} in ${FA_STAGE}")
        endif()
    endforeach()
    # A definition is for op_build alone: inside the tiling library its OP_ADD would register an empty tiling function.
    list(APPEND FA_DEFINITIONS ${definitions})
    list(APPEND FA_INFERENCE ${inference})
    list(APPEND FA_TILING ${tiling})
    list(APPEND FA_API ${api})
    list(APPEND FA_API_HEADERS ${headers})
endforeach()

file(GLOB FA_ONNX "${FA_STAGE}/flash_attention_score/framework/onnx_*.cpp")
if(NOT FA_ONNX)
    message(FATAL_ERROR "FA: no ONNX plugin in ${FA_STAGE}")
endif()

# Kernel headers include each other by name. 8.1 has the platform header of tiling in a folder of its own.
file(GLOB FA_CANN_INCLUDES
    "${ASCEND_CANN_PACKAGE_PATH}/*-linux/ascendc/include/highlevel_api"
    "${ASCEND_CANN_PACKAGE_PATH}/ascendc/include/highlevel_api")
set(FA_HOST_INCLUDES "${FA_STAGE}/op_kernel" ${FA_CANN_INCLUDES})
set(FA_API_INCLUDES "${FA_STAGE}/flash_attention_score/op_api" "${FA_STAGE}/flash_attention_score_grad/op_api"
    "${ASCEND_AUTOGEN_PATH}")

# op_build of 8.1 may fail without anybody noticing; every file that it must have written is asked for.
function(fa_require_generated)
    set(wanted op_proto.h op_proto.cc)
    foreach(unit IN LISTS ASCEND_COMPUTE_UNIT)
        list(APPEND wanted "aic-${unit}-ops-info.ini")
    endforeach()
    foreach(snake IN LISTS FA_SNAKES)
        list(APPEND wanted "aclnnInner_${snake}.cpp" "aclnnInner_${snake}.h")
    endforeach()
    foreach(file IN LISTS wanted)
        if(NOT EXISTS "${ASCEND_AUTOGEN_PATH}/${file}")
            message(FATAL_ERROR "FA: op_build did not write ${file}")
        endif()
    endforeach()
endfunction()

function(fa_host_flags target)
    target_include_directories(${target} PRIVATE ${FA_HOST_INCLUDES})
    target_compile_definitions(${target} PRIVATE FA_REJECT_STDERR)
endfunction()
